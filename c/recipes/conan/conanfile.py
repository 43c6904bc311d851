"""The recipe of liblanner for Conan 2. It is built by cargo, which must be there."""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy
from conan.tools.scm import Git

required_conan_version = ">=2.0"

TRIPLES = {
    "x86_64": "x86_64-unknown-linux-gnu",
    "x86": "i686-unknown-linux-gnu",
    "armv8": "aarch64-unknown-linux-gnu",
    "armv7hf": "armv7-unknown-linux-gnueabihf",
}


class LannerConan(ConanFile):
    name = "lanner"
    version = "0.1.0"
    description = "Ed25519, X25519, Ristretto255 and FN-DSA, with the headers of ed25519-donna and curve25519-donna"
    license = "MIT OR Apache-2.0"
    topics = ("cryptography", "ed25519", "x25519", "falcon", "fn-dsa")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "small": [True, False]}
    default_options = {"shared": False, "small": False}
    languages = "C"

    def validate(self):
        if self.settings.os != "Linux" or str(self.settings.arch) not in TRIPLES:
            raise ConanInvalidConfiguration("built for Linux alone; releases have archives for other systems")

    def package_id(self):
        # Cargo builds it, always the same way.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def source(self):
        sources = self.conan_data["sources"][self.version]
        git = Git(self)
        git.clone(url=sources["url"], target=".")
        git.checkout(commit=sources["commit"])

    @property
    def _installed(self):
        return os.path.join(self.build_folder, "installed")

    def build(self):
        small = "--small" if self.options.small else ""
        triple = TRIPLES[str(self.settings.arch)]
        os.environ.setdefault("CARGO_TARGET_DIR", os.path.join(self.build_folder, "cargo"))
        self.run(
            f'cargo xtask c-install --target {triple} --prefix "{self._installed}" {small}',
            cwd=self.source_folder,
        )

    def package(self):
        libraries = "lib*.so*" if self.options.shared else "lib*.a"
        copy(self, libraries, os.path.join(self._installed, "lib"), os.path.join(self.package_folder, "lib"))
        for folder in ("include", "share/lanner"):
            copy(self, "*", os.path.join(self._installed, folder), os.path.join(self.package_folder, folder))
        for name in ("LICENSE-*", "THIRD-PARTY-LICENSES", "lanner.cdx.json"):
            copy(self, name, os.path.join(self._installed, "share/doc/lanner"), os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["lanner"]
        kind = "lanner" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_target_name", f"lanner::{kind}")
        self.cpp_info.set_property("pkg_config_name", "lanner")
        if not self.options.shared:
            self.cpp_info.system_libs = ["pthread", "dl"]
